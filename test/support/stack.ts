/** The stores and programs of the tests: real servers on loopback, each with its own folders and ports. */
export { createDatabase, createServiceDatabase, lockWaiters } from './postgres.js';
export { type EventStoreNode, type EventStoreNodeOptions, startEventStore } from './event-store-node.js';
export { type RedisServer, redisInstalled, startRedis } from './redis.js';
export {
  type DemoAccount,
  newDataDir,
  type Service,
  type ServiceOptions,
  spawnService,
  startService,
} from './service.js';
export { eventually, eventuallyNone, sleep, TestProcess } from './processes.js';
