import { HttpFailure } from './failure.js';

interface Route {
  readonly segments: readonly string[];
  readonly methods: Set<string>;
}

const segmentsOf = (path: string): string[] => path.split('/');

const matches = (template: readonly string[], path: readonly string[]): boolean =>
  template.length === path.length &&
  template.every((segment, index) => (segment.startsWith(':') ? path[index] !== '' : segment === path[index]));

const VERSION = '/api/v1';

/** The routes by their templates, with the methods of each. */
export class MethodTable {
  private readonly routes = new Map<string, Route>();

  add(template: string, methods: readonly string[]): void {
    const route = this.routes.get(template) ?? { segments: segmentsOf(template), methods: new Set<string>() };
    for (const method of methods) route.methods.add(method);
    this.routes.set(template, route);
  }

  /**
   * The canonical path of a matched route: the template with its decoded parameters, encoded in one way. If a path is served
   * with and without the version, the form without it counts.
   */
  canonicalPath(template: string, parameters: Readonly<Record<string, string>>): string {
    const bare = template.startsWith(`${VERSION}/`) ? template.slice(VERSION.length) : template;
    const segments = this.routes.get(bare)?.segments ?? segmentsOf(template);
    return segments
      .map((segment) => (segment.startsWith(':') ? encodeURIComponent(parameters[segment.slice(1)] ?? '') : segment))
      .join('/');
  }

  /** 405 with Allow if the path has other methods, else 404. */
  failureFor(url: string): HttpFailure {
    const path = segmentsOf(url.split('?', 1)[0] ?? url);
    const allowed = new Set<string>();
    for (const { segments, methods } of this.routes.values()) {
      if (matches(segments, path)) for (const method of methods) allowed.add(method);
    }
    if (allowed.size === 0) return new HttpFailure(404, 'NOT_FOUND', 'There is nothing at this path');
    const allow = [...allowed].sort().join(', ');
    return new HttpFailure(405, 'METHOD_NOT_ALLOWED', `The path takes ${allow}`, { headers: { Allow: allow } });
  }
}
