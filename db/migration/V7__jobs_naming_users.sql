-- An erasure looks for the jobs that name its user. Most jobs name nobody, erasures that came to their end among
-- them: so the index holds few, however many jobs are kept. The column is of the row itself, so that an update
-- that changes it not is still a HOT update.
alter table job add column names_users boolean not null generated always as (
    jsonb_path_exists(report, '$.**.user_id') or jsonb_path_exists(request, '$.**.user_id')) stored;
create index job_naming_users on job (job_id) where names_users;
