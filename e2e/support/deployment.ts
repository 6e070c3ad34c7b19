import type { PageSnapshot, RemoteOnPage } from '@dmp/contract/release'

/** The snapshot that pages of an address get, from the page itself. */
export async function snapshotAt(address: string): Promise<PageSnapshot> {
  const page = await (await fetch(`${address}/login`)).text()
  const inlined = page.split('id="dmp-snapshot"')[1]?.split('>')[1]?.split('</script')[0]
  if (!inlined) throw new Error(`The page at ${address}/login carries no snapshot. Is the product served there?`)
  return JSON.parse(inlined) as PageSnapshot
}

/** The remotes of the deployment that is tried: journeys that hold for every remote are made from this list. */
export const deployedRemotes = async (): Promise<readonly RemoteOnPage[]> =>
  (await snapshotAt(process.env.BASE_URL ?? '')).remotes

/**
 * The path on which a signed-in user first meets a remote: its first navigation entry, else its first route for such
 * users.
 */
export function getFirstPath({ declaration: { navigation, routes } }: RemoteOnPage): string {
  return (
    navigation[0]?.routerLink ??
    routes.find(({ guard }) => guard === 'policy' || guard === 'session')?.prefix ??
    routes[0]?.prefix ??
    '/'
  )
}
