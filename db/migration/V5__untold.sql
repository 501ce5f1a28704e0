-- Jobs that failed or were cancelled after they had begun: they stay ready until somebody has told Redis of
-- their last piece.
create index job_untold on job (job_id) where state in ('failed', 'cancelled') and ready;
