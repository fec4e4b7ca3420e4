import { type OpenAPIObject } from '@nestjs/swagger';
import { type BillableOperation } from '../../../kernel/contract.js';
import { CHARGED_OPERATION } from '../../responses.js';
import { operationsOf } from '../schemas.js';
import { chaptersOf, type PricedOperation } from './chapters.js';
import { text } from './html.js';
import { referenceHtml, tagId } from './reference.js';

const head = (title: string): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${text(title)}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="docs/docs.css">`;

const pricedOf = (paths: OpenAPIObject['paths']): readonly PricedOperation[] =>
  operationsOf(paths).flatMap(([method, path, operation]) => {
    const charged = (operation as { readonly [CHARGED_OPERATION]?: BillableOperation })[CHARGED_OPERATION];
    return charged === undefined ? [] : [{ operation: charged, call: `${method.toUpperCase()} ${path}` }];
  });

const CREDENTIALS = `<p>Each operation has its call for a shell and for TypeScript, and can be tried here with the credentials below. They stay in this tab until it is closed.</p>
<form id="credentials" hidden><label><span>API key</span><input name="apiKey" type="password" autocomplete="off" placeholder="kyc_sandbox_…"></label>
<label><span>Access token</span><input name="accessToken" type="password" autocomplete="off"></label>
<label><span>Operator's token</span><input name="operatorToken" type="password" autocomplete="off"></label></form>`;

/** The chapters, then the reference. */
export const docsPage = (document: OpenAPIObject): string => {
  const { info, paths, servers, tags = [] } = document;
  const chapters = chaptersOf(servers?.[0]?.url ?? '', pricedOf(paths));
  const links = chapters.map(({ id, title }) => `<li><a href="#${id}">${text(title)}</a></li>`).join('');
  const groups = tags.map(({ name }) => `<li><a href="#${tagId(name)}">${text(name)}</a></li>`).join('');
  const sections = chapters.map(
    ({ id, title, html }) => `<section id="${id}" data-find><h2>${text(title)}</h2>${html}</section>`,
  );
  return `${head(info.title)}</head><body>
<a class="skip" href="#main">Skip to content</a><header><h1>${text(info.title)}</h1><button type="button" id="find" hidden>Search <kbd>Ctrl K</kbd></button></header>
<nav aria-label="Chapters"><ol>${links}<li><a href="#reference">Reference</a><ol>${groups}</ol></li></ol></nav>
<main id="main"><p>${text(info.description ?? '')} The document itself: <a href="openapi.json">OpenAPI 3.1</a>.</p>
${sections.join('\n')}
<section id="reference"><h2>Reference</h2>${CREDENTIALS}
${referenceHtml(document)}</section></main>
<dialog id="search" aria-label="Search"><input type="search" aria-label="Search chapters, operations, errors and events" placeholder="Chapters, operations, errors, events" autocomplete="off" spellcheck="false"><ul></ul></dialog>
<script src="docs/docs.browser.js" type="module"></script></body></html>`;
};

/** What stands at the root: where to go. */
export const indexPage = ({ info }: OpenAPIObject): string => `${head(info.title)}</head><body class="index">
<main><h1>${text(info.title)}</h1><p>${text('Identity ingestion, eligibility checks, credentials, compliance and credit-based billing.')}</p>
<ul><li><a href="docs">Documentation: a first day, and every operation</a></li><li><a href="openapi.json">OpenAPI 3.1</a></li>
<li><a href="billing/pricing">Prices</a></li><li><a href="health/ready">State of the service</a></li></ul></main></body></html>`;
