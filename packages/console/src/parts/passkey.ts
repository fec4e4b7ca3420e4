import { type CreationOptions, type RequestOptions } from '../api.js';

/** Browsers make no passkey for an IP address. */
export const mayHavePasskeys = (): boolean =>
  window.isSecureContext && 'credentials' in navigator && !/^[\d.]+$|:/.test(location.hostname);

/** The same console by its name, where it is reached by the loopback's address. */
export const byName = `${location.protocol}//localhost${location.port === '' ? '' : `:${location.port}`}/console`;

const library = () => import('@simplewebauthn/browser');

export const createPasskey = async (optionsJSON: CreationOptions): Promise<object> =>
  (await library()).startRegistration({ optionsJSON });

export const askForPasskey = async (optionsJSON: RequestOptions): Promise<object> =>
  (await library()).startAuthentication({ optionsJSON });
