/** What every child process needs of the service's environment, and nothing else of it. */
export const childEnvironment = (): Record<string, string> => ({ PATH: process.env['PATH'] ?? '/usr/bin:/bin' });
