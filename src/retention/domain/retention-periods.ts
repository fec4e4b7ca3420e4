export const utcDay = (now: Date): string => now.toISOString().slice(0, 10);

export const utcMonth = (now: Date): string => now.toISOString().slice(0, 7);
