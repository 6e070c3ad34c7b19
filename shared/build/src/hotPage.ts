/** The name under which the development server's overlay draws its markup. */
const overlayPolicy = 'webpack-dev-server#overlay'

/** The page's policy, and one more name: the development server says on the page what does not compile. */
export const toHotPolicy = (policy: string): string =>
  policy.replace(/trusted-types [^;]*/, (types) => `${types} ${overlayPolicy}`)

/** The page without hashes of its files: the files change while it is open. */
export const toHotPage = (page: string): string => page.replaceAll(/sha384-[A-Za-z0-9+/]{64}/g, '')
