/** The header that carries the access token; no header without one. */
export function authorization(accessToken: string | undefined): Readonly<Record<string, string>> {
  return accessToken ? { Authorization: `Bearer ${accessToken}` } : {}
}
