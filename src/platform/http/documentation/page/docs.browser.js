// Builds the reference from the OpenAPI document, in the colours that the reader prefers.
const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();

/** Shows the curl command of an operation above its parameters. */
const curlPlugin = () => ({
  wrapComponents: {
    parameters: (Original, { React }) =>
      function Parameters(props) {
        const { operation } = props;
        const samples = operation?.get('x-codeSamples') ?? operation?.getIn(['op', 'x-codeSamples']);
        const source = samples?.getIn([0, 'source']);
        const command =
          source === undefined
            ? null
            : React.createElement(
                'pre',
                { className: 'curl-command', tabIndex: 0, 'aria-label': 'curl command' },
                React.createElement('code', null, source),
              );
        return React.createElement('div', null, command, React.createElement(Original, props));
      },
  },
});

// The page may be reached at another address than PUBLIC_URL; what is tried goes where the page came from.
const here = new URL('.', location.href);
const spec = await (await fetch(new URL('openapi.json', here))).json();
spec.servers = [{ url: here.href.replace(/\/$/, '') }];
globalThis.SwaggerUIBundle({
  spec,
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  filter: true,
  validatorUrl: null,
  plugins: [curlPlugin],
});
