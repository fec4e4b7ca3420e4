import { Global, Module } from '@nestjs/common';
import { type Config } from '../platform/config/config.js';
import { Tracing } from './telemetry/tracing.js';
import { CONFIG } from '../platform/tokens.js';
import { FilteredHttp } from '../platform/outbound/filtered-http.js';
import { nameServers } from '../platform/outbound/filtered-look-up.js';
import { OutboundHttp } from '../platform/outbound/outbound-http.js';
import { isLoopbackAddress, isOwnAddress, isPublicAddress } from '../platform/outbound/public-addresses.js';

/** What this deployment may call. */
export const outboundHttp = ({
  environment,
  allowLoopback,
}: Pick<Config, 'environment' | 'allowLoopback'>): FilteredHttp =>
  new FilteredHttp({
    plainHttp: environment === 'sandbox',
    resolve: nameServers(),
    isAllowed: (address) =>
      isLoopbackAddress(address) ? allowLoopback : isPublicAddress(address) && !isOwnAddress(address),
  });

/** Calls to addresses that tenants chose. */
@Global()
@Module({
  providers: [
    { provide: FilteredHttp, inject: [CONFIG], useFactory: outboundHttp },
    {
      provide: OutboundHttp,
      inject: [FilteredHttp, Tracing],
      useFactory: (http: FilteredHttp, tracing: Tracing) => tracing.outbound(http),
    },
  ],
  exports: [OutboundHttp],
})
export class OutboundModule {}
