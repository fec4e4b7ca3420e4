import { type OpenAPIObject } from '@nestjs/swagger';
import { type BillableOperation } from '../../../../contract/collected.js';
import { CHARGED_OPERATION } from '../../responses.js';
import { operationsOf } from '../schemas.js';
import { chaptersOf, type PricedOperation } from './chapters.js';
import { text } from './html.js';

/** Later sheets win. */
const head = (
  title: string,
  ...sheets: readonly string[]
): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${text(title)}</title><link rel="icon" href="data:,">${sheets.map((sheet) => `<link rel="stylesheet" href="docs/${sheet}">`).join('')}`;

const pricedOf = (paths: OpenAPIObject['paths']): readonly PricedOperation[] =>
  operationsOf(paths).flatMap(([method, path, operation]) => {
    const charged = (operation as { readonly [CHARGED_OPERATION]?: BillableOperation })[CHARGED_OPERATION];
    return charged === undefined ? [] : [{ operation: charged, call: `${method.toUpperCase()} ${path}` }];
  });

/** The chapters, then the reference, which the browser builds from /openapi.json. */
export const docsPage = ({ info, paths, servers }: OpenAPIObject): string => {
  const chapters = chaptersOf(servers?.[0]?.url ?? '', pricedOf(paths));
  const links = chapters.map(({ id, title }) => `<li><a href="#${id}">${text(title)}</a></li>`).join('');
  const sections = chapters.map(
    ({ id, title, html }) => `<section id="${id}"><h2>${text(title)}</h2>${html}</section>`,
  );
  const listed = operationsOf(paths).map(
    ([method, path, { summary = '' }]) => `<li>${text(`\`${method.toUpperCase()} ${path}\` ${summary}`)}</li>`,
  );
  return `${head(info.title, 'swagger-ui.css', 'docs.css')}</head><body>
<a class="skip" href="#main">Skip to the text</a><header><h1>${text(info.title)}</h1></header>
<nav aria-label="Chapters"><ol>${links}<li><a href="#reference">Reference</a></li></ol></nav>
<main id="main"><p>${text(info.description ?? '')} The document itself: <a href="openapi.json">OpenAPI 3.1</a>.</p>
${sections.join('\n')}
<section id="reference"><h2>Reference</h2><p>Each operation has its curl command, and can be tried here. <em>Authorize</em> takes your key.</p>
<div id="swagger-ui"><ul class="operations">${listed.join('')}</ul></div></section></main>
<script src="docs/swagger-ui-bundle.js" defer></script><script src="docs/docs.browser.js" type="module"></script></body></html>`;
};

/** What stands at the root: where to go. */
export const indexPage = ({
  info,
}: OpenAPIObject): string => `${head(info.title, 'docs.css')}</head><body class="index">
<main><h1>${text(info.title)}</h1><p>${text('Identity ingestion, eligibility checks, credentials, compliance and credit-based billing.')}</p>
<ul><li><a href="docs">Documentation: a first day, and every operation</a></li><li><a href="openapi.json">OpenAPI 3.1</a></li>
<li><a href="billing/pricing">Prices</a></li><li><a href="health/ready">State of the service</a></li></ul></main></body></html>`;
