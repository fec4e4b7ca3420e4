import { Component, type ReactNode } from 'react';
import { Failure } from './states.js';

const RELOADED = 'kyc-console-reloaded';

/** A screen's file could not be loaded, maybe since a newer version of the service has other files. */
class NotLoaded extends Error {}

/** Where the service is away, loading the page anew would lose the frame, too. */
const isServed = async (): Promise<boolean> => {
  try {
    return (await fetch('/console', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
};

/** Loads a screen's file. Where that fails the page is loaded anew once, since a browser does not ask for the file again. */
export const loaded = async <Screen,>(load: () => Promise<Screen>): Promise<Screen> => {
  try {
    const screen = await load();
    sessionStorage.removeItem(RELOADED);
    return screen;
  } catch (error) {
    if (sessionStorage.getItem(RELOADED) !== location.pathname && (await isServed())) {
      sessionStorage.setItem(RELOADED, location.pathname);
      location.reload();
      return new Promise(() => undefined);
    }
    throw new NotLoaded('This screen could not be loaded. Is the service running, and are you online?', {
      cause: error,
    });
  }
};

interface Props {
  readonly children: ReactNode;
}

/** Keeps the fault of a screen from the frame around it. */
export class Boundary extends Component<Props, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <>
        <Failure error={error instanceof NotLoaded ? error : new Error('Something went wrong on this screen.')} />
        <p>
          <button type="button" onClick={() => location.reload()}>
            Load again
          </button>
        </p>
      </>
    );
  }
}
