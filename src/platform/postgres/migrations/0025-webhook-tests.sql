-- Finds the last test deliveries of an endpoint, whose number a minute is limited.
CREATE INDEX IF NOT EXISTS webhook_deliveries_tests ON webhook_deliveries (endpoint_id, seq) WHERE test;
