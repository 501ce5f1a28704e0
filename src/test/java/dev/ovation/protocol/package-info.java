/**
 * The protocol between instances, Redis and Postgres as a model: random schedules, one step at a
 * time, of the shipped decisions over modelled servers. The best order to read it: {@link
 * dev.ovation.protocol.World}, {@link dev.ovation.protocol.Writing}, the relay and the recovery in
 * {@code dev.ovation.outbox.InstanceModel}, the scripts in {@link dev.ovation.protocol.RedisModel},
 * the promises in {@link dev.ovation.protocol.Checker}, and the effects of a missing rule in {@link
 * dev.ovation.protocol.Rule}.
 */
package dev.ovation.protocol;
