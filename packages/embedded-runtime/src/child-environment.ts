/** The only part of the service's environment that child processes get. */
export const childEnvironment = (): Record<string, string> => ({ PATH: process.env['PATH'] ?? '/usr/bin:/bin' });
