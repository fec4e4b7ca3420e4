// Injected by the build wherever code of Node names it.
export { Buffer } from 'buffer';
