-- The sums of an account's rows when they were last sound (see accountSums): what has changed without a transaction is looked at.
ALTER TABLE drift_checks ADD COLUMN transactions bigint, ADD COLUMN sums text;
