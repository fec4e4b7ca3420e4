import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ExportSection, type Exports, type ExportSectionOptions } from '../../contract/exports/export-section.js';

export interface Section extends ExportSectionOptions {
  readonly exports: Exports;
}

/** The section that this object writes, by the decorator of its class. */
export const sectionOf = (exports: Exports): Section => {
  const options = Reflect.getMetadata(ExportSection.KEY, exports.constructor) as ExportSectionOptions | undefined;
  if (options === undefined) throw new TypeError(`${exports.constructor.name} has no @ExportSection`);
  return { ...options, exports };
};

/** Where an archive has its sections from. */
export abstract class ExportSections {
  /** In the order of their files. */
  abstract all(): readonly Section[];
}

export const inOrder = (sections: readonly Section[]): readonly Section[] =>
  [...sections].sort((one, other) => one.file.localeCompare(other.file));

/** What the slices of this application bring. */
@Injectable()
export class DiscoveredSections extends ExportSections {
  constructor(private readonly discovery: DiscoveryService) {
    super();
  }

  all(): readonly Section[] {
    const providers = this.discovery.getProviders({ metadataKey: ExportSection.KEY });
    return inOrder(providers.map(({ instance }) => sectionOf(instance as Exports)));
  }
}
