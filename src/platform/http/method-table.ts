import { HttpFailure } from './failure.js';

interface Route {
  readonly segments: readonly string[];
  readonly methods: Set<string>;
}

const segmentsOf = (path: string): string[] => path.split('/');

const matches = (template: readonly string[], path: readonly string[]): boolean =>
  template.length === path.length &&
  template.every((segment, index) => (segment.startsWith(':') ? path[index] !== '' : segment === path[index]));

/** Which methods each path has; asked only where no route matched. */
export class MethodTable {
  private readonly routes = new Map<string, Route>();

  add(template: string, methods: readonly string[]): void {
    const route = this.routes.get(template) ?? { segments: segmentsOf(template), methods: new Set<string>() };
    for (const method of methods) route.methods.add(method);
    this.routes.set(template, route);
  }

  /** 405 with Allow where the path has other methods, else 404. */
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
