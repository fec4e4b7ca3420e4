import { type DynamicModule, type Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { type ModulesContainer } from '@nestjs/core';

/**
 * A list to which each slice's module adds its own part. It is complete before any provider is made, so a provider can
 * depend on the whole list.
 */
export class FeatureList<Part> {
  private readonly token: symbol;

  constructor(name: string) {
    this.token = Symbol(name);
  }

  /** The module that a slice imports to add these parts. */
  of(module: Type, parts: readonly Part[]): DynamicModule {
    return { module, providers: [{ provide: this.token, useValue: parts }] };
  }

  /** The parts of all modules of the application. */
  in(modules: ModulesContainer): readonly Part[] {
    return [...modules.values()].flatMap(
      ({ providers }) => (providers.get(this.token)?.instance ?? []) as readonly Part[],
    );
  }

  /** The parts of a module and its imports, for programs that start no application. */
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
