import { DiscoveryService } from '@nestjs/core';
import { type ReactorOptions } from '../../kernel/reaction.js';

/** Marks a provider that implements Reaction, in processes with the role `jobs`. One instance leads and runs it. */
export const Reactor = DiscoveryService.createDecorator<ReactorOptions>();
