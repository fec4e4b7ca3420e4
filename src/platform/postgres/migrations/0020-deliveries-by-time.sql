-- How an endpoint fared in the last day.
CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (endpoint_id, created_at);
