-- Makes of a recording what recordings seldom hold: kernels that overlap in their stream, take no time, begin
-- as another ends, as their call begins or before it, and streams of one id in two processes.
UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = end + 3 * (end - start) WHERE rowid % 3 = 0;
UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = start WHERE rowid % 5 = 0;
UPDATE CUPTI_ACTIVITY_KIND_KERNEL AS this SET end = coalesce((SELECT min(start)
  FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE streamId = this.streamId AND start > this.start), end) WHERE rowid % 7 = 0 AND rowid < 40;
UPDATE CUPTI_ACTIVITY_KIND_KERNEL AS this SET start = (SELECT start
  FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE correlationId = this.correlationId) WHERE rowid % 11 < 2;
UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = start - 1 WHERE rowid % 11 = 0;
UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET globalPid = globalPid + (1 << 24) WHERE rowid % 4 = 0;
