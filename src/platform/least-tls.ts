import tls from 'node:tls';

/** Every connection of the process, also one that a library opens by itself, has this version at least. */
tls.DEFAULT_MIN_VERSION = 'TLSv1.3';
