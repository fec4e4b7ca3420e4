import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Max, ValidateNested } from 'class-validator';
import { systemClock } from '../kernel/clock.js';
import { HttpFailure } from './failure.js';
import { EmailField } from './fields.js';
import { FieldsPipe } from './validate.js';

describe('a body with the decorators of class-validator', () => {
  class Item {
    @IsString() sku!: string;
  }
  class Order {
    @EmailField() email!: string;
    @IsInt() @Max(10) count!: number;
    @IsOptional() @IsIn(['a', 'b']) kind?: string;
    @ValidateNested({ each: true }) @Type(() => Item) items: Item[] = [];
  }
  const pipe = new FieldsPipe(systemClock);
  const read = async (raw: object) => pipe.transform(raw, { type: 'body', metatype: Order });
  const refused = async (raw: object) => {
    const error: unknown = await read(raw).catch((failure: unknown) => failure);
    return error instanceof HttpFailure ? error : undefined;
  };

  it('is read, its own fields normalised, unknown members left out', async () => {
    const order = await read({ email: 'A@Example.org', count: 3, kind: null, items: [{ sku: 'x' }], other: 1 });
    expect(order).toEqual({ email: 'a@example.org', count: 3, items: [{ sku: 'x' }] });
    expect(order).toBeInstanceOf(Order);
  });

  it('is refused with every fault, and never with a value', async () => {
    const faults = await refused({ count: 'many', kind: 'secret', items: [{}] });
    expect(faults?.extra.errors?.map(({ field, code }) => `${field} ${code}`)).toEqual([
      'email MISSING_FIELD',
      'count INVALID_FIELD',
      'kind INVALID_FIELD',
      'items.0.sku MISSING_FIELD',
    ]);
    expect(faults?.status).toBe(400);
    expect(JSON.stringify(faults)).not.toContain('secret');
  });

  it('cannot give a field two owners: what ours normalised would be lost', () => {
    class Twice {
      @EmailField() @Max(10) email!: string;
    }
    expect(() => pipe.transform({ email: 'A@Example.org' }, { type: 'body', metatype: Twice })).toThrow('Twice.email');
  });
});
