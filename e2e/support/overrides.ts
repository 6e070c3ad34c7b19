/**
 * The cookie that gives every browser of the run the releases of E2E_COMPOSITION; `npm run e2e` asked the server for
 * it.
 */
const [name, value] = (process.env.E2E_OVERRIDES ?? '').split('=')
const home = new URL(process.env.BASE_URL ?? 'http://localhost')

export const overrides =
  name && value
    ? {
        cookies: [
          {
            name,
            value,
            domain: home.hostname,
            path: '/',
            expires: -1,
            httpOnly: true,
            secure: home.protocol === 'https:',
            sameSite: 'Strict' as const,
          },
        ],
        origins: [],
      }
    : undefined
