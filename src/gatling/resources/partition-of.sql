-- The partition of an entity, as the service computes it: CRC16 (XMODEM) of its name.
create or replace function partition_of(namespace text, entity text, partitions bigint) returns smallint
    language plpgsql immutable as $$
declare
    name bytea := convert_to(namespace || ':' || entity, 'UTF8');
    crc  integer := 0;
begin
    for i in 0 .. length(name) - 1 loop
        crc := crc # (get_byte(name, i) << 8);
        for bit in 1 .. 8 loop
            crc := case when crc & 32768 = 0 then crc << 1 else (crc << 1) # 4129 end & 65535;
        end loop;
    end loop;
    return crc % partitions;
end
$$;
