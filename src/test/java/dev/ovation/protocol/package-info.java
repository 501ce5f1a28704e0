/**
 * The protocol between instances, Redis and Postgres as a model: random schedules, one step at a
 * time, of the shipped decisions over modelled servers. To be read in this order: {@link
 * dev.ovation.protocol.World}, {@link dev.ovation.protocol.Writing}, the relay and the recovery in
 * {@code dev.ovation.outbox.InstanceModel}, the scripts in {@link dev.ovation.protocol.RedisModel},
 * what must hold in {@link dev.ovation.protocol.Checker}, and what happens without one of the rules
 * in {@link dev.ovation.protocol.Rule}.
 */
package dev.ovation.protocol;
