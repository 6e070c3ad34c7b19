/** `App.50145412.js` is `App.js` in every release. */
export const nameWithoutHash = (path: string): string => path.replace(/\.[0-9a-f]{8,20}(?=\.)/, '')
