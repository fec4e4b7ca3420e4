/** Settings of the embedded server. Every start writes the file anew. ALTER SYSTEM overrides it. */
export const EMBEDDED_SETTINGS: Readonly<Record<string, string | number>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 120,
  password_encryption: 'scram-sha-256',
  // Acknowledged writes survive a crash.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  wal_buffers: '16MB',
  min_wal_size: '128MB',
  max_wal_size: '1GB',
  checkpoint_timeout: '5min',
  random_page_cost: 1.1,
  jit: 'off',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors of statements, their texts and their values may hold personal data. The log tells only what the server does.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length: 0,
  log_parameter_max_length_on_error: 0,
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgresql-%a.log',
  log_truncate_on_rotation: 'on',
  log_rotation_age: '1d',
  log_rotation_size: 0,
};

const format = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;

export const settingsFile = (settings: Readonly<Record<string, string | number>>): string =>
  `${Object.entries(settings)
    .map(([name, value]) => `${name} = ${format(value)}`)
    .join('\n')}\n`;
