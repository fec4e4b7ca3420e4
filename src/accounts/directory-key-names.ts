import { Injectable } from '@nestjs/common';
import { ApiKeyNames } from '../kernel/api-key-names.js';
import { type TenantId } from '../kernel/ids.js';
import { AccountReader } from './account-reader.js';

@Injectable()
export class DirectoryKeyNames extends ApiKeyNames {
  constructor(private readonly reader: AccountReader) {
    super();
  }

  override async of(tenantId: TenantId): Promise<ReadonlyMap<string, string>> {
    const record = await this.reader.require(tenantId);
    const names = [...record.keyNames].map(
      async ([keyId, name]) => [keyId, await this.reader.open(record, name)] as const,
    );
    return new Map(
      (await Promise.all(names)).flatMap(([keyId, name]) => (name === null ? [] : [[keyId, name] as const])),
    );
  }
}
