import { Injectable } from '@nestjs/common';
import { type TenantId } from '../kernel/ids.js';
import { type AreApart, Persons } from '../kernel/persons.js';
import { AccountReader } from './account-reader.js';
import { areApart } from './domain/holders.js';

@Injectable()
export class DirectoryPersons extends Persons {
  constructor(private readonly reader: AccountReader) {
    super();
  }

  override async of(tenantId: TenantId): Promise<AreApart> {
    const { account } = await this.reader.require(tenantId);
    return areApart(account);
  }

  override async hasMember(tenantId: TenantId, memberId: string): Promise<boolean> {
    const { account } = await this.reader.require(tenantId);
    const status = account.members.get(memberId)?.status;
    return status === 'active' || status === 'invited';
  }
}
