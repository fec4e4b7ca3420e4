import { type DynamicModule, type Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { type ModulesContainer } from '@nestjs/core';

/**
 * A list to which the slices' modules add, each its own part. It is whole before anything is made, so that a provider can be made
 * of all of it.
 */
export class FeatureList<Part> {
  private readonly token: symbol;

  constructor(name: string) {
    this.token = Symbol(name);
  }

  /** The module that a slice imports to add these. */
  of(module: Type, parts: readonly Part[]): DynamicModule {
    return { module, providers: [{ provide: this.token, useValue: parts }] };
  }

  /** What all modules of the application have added. */
  in(modules: ModulesContainer): readonly Part[] {
    return [...modules.values()].flatMap(
      ({ providers }) => (providers.get(this.token)?.instance ?? []) as readonly Part[],
    );
  }

  /** What a module and those that it imports add, for programs that start no application. */
  below(module: Type | DynamicModule, seen = new Set<unknown>()): readonly Part[] {
    if (seen.has(module)) return [];
    seen.add(module);
    const { module: type, imports = [], providers = [] } = 'module' in module ? module : { module };
    const declared = (Reflect.getMetadata(MODULE_METADATA.IMPORTS, type) ?? []) as typeof imports;
    const own = providers.flatMap((provider) =>
      'provide' in provider && provider.provide === this.token && 'useValue' in provider
        ? (provider.useValue as readonly Part[])
        : [],
    );
    const imported = [...declared, ...imports] as readonly (Type | DynamicModule)[];
    return [...own, ...imported.flatMap((each) => this.below(each, seen))];
  }
}
