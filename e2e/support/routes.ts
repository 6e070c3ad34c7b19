import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aUser } from '@dmp/contract/examples'
import { navigationFor, isUnder, getRoute, type Declaration, type Guard } from '@dmp/contract/remote'
import { expect, type Page } from 'playwright/test'
import type { Who } from './accounts.ts'
import { deployedRemotes } from './deployment.ts'
import { settled } from './page.ts'

type Roles = Extract<Who, 'super' | 'admin' | 'staff'>
const roles = { super: 'super_admin', admin: 'admin', staff: 'staff' } as const satisfies Record<Roles, string>

export interface Screen {
  /** As the part writes it: `/complaint/detail/:id`. */
  readonly route: string
  readonly guard: Guard
}

const root = join(import.meta.dirname, '..', '..')
const host = JSON.parse(readFileSync(join(root, 'host', 'remote.json'), 'utf8')) as Declaration
const declarations = [...deployedRemotes().map(({ declaration }) => declaration), host]

/**
 * Every screen of what is live: the claims of each declaration, and the routes below them where the part's source is
 * here. A new one is in it at once.
 */
export const screens: readonly Screen[] = [...new Set(declarations.flatMap(listRoutes))].sort().flatMap((route) => {
  const guard = getRoute(declarations, plain(route))?.claim.guard
  return guard ? [{ route, guard }] : []
})

function listRoutes({ name, routes }: Declaration): string[] {
  const file = join(root, name, 'src', 'App.tsx')
  const hasSource = existsSync(file)
    ? [...readFileSync(file, 'utf8').matchAll(/<Route path="(\/[^"]+)" element=\{<\w+Screen /g)].map((match) =>
        (match[1] ?? '').replace(/(\/:\w+\?)+$/, ''),
      )
    : []
  const claimed = routes
    .map(({ prefix }) => prefix)
    .filter((prefix) => !hasSource.some((route) => isUnder(plain(route), prefix)))
  // Below a list of its own, which a demo has empty: its own journey looks at it.
  const shown = hasSource.filter((route) => !hasSource.includes(route.split('/:')[0] ?? '') || !route.includes(':'))
  return [...shown, ...claimed].map((route) => (route === '/not-authorized' ? '/not-authorized/Scan/list' : route))
}

function plain(route: string): string {
  return route.replaceAll(':', '')
}

/** The screens of strangers. */
export const publicScreens = (): string[] =>
  screens
    .filter(({ guard, route }) => (guard === 'guest' || guard === 'public') && !route.includes(':'))
    .map(({ route }) => route)

/**
 * The screens of a role: those that the navigation of its policy leads to, and those that every signed-in user may
 * open.
 */
export function screensFor(who: Roles): string[] {
  const { policy } = aUser(roles[who])
  const entries = navigationFor(declarations, policy)
  return screens
    .filter(
      ({ route, guard }) =>
        guard === 'session' ||
        (guard === 'policy' && entries.some(({ routerLink }) => isUnder(plain(route), routerLink))),
    )
    .map(({ route }) => route)
}

/** Where the way to a screen begins: there, or at the list that leads to it. */
export function toStart(route: string): string {
  if (!route.includes(':')) return route
  const [list = ''] = route.split('/detail/:')
  return list === route ? `/${route.split('/')[1]}` : list
}

/**
 * An address of the route: its parameters are those of the first row of the area's list that leads to a detail.
 * Undefined where the role's list is empty.
 */
export async function findAddress(page: Page, route: string): Promise<string | undefined> {
  if (!route.includes(':')) return route
  const area = toStart(route)
  if (new URL(page.url()).pathname !== area) await page.goto(area)
  await settled(page)
  const links = page.getByRole('table').first().locator(`a[href^="${area}/detail/"]`)
  if ((await links.count()) === 0) {
    // No links for another reason would be a fault of the list.
    await expect(page.getByText('No record found.').first()).toBeVisible()
    return undefined
  }
  // Among organizations the first is the provider's own, which has neither licenses nor a datastore.
  const href = await links.last().getAttribute('href')
  if (href === null) return undefined
  // Another thing than what the list is of: its details lead there.
  const detail = screens.find((screen) => screen.route.startsWith(`${area}/detail/:`))
  if (detail && parametersOf(detail.route) !== parametersOf(route)) {
    await page.goto(href)
    await settled(page)
    const link = page.locator(`a[href^="${route.slice(0, route.indexOf(':'))}"]`).first()
    return (await link.getAttribute('href')) ?? undefined
  }
  const ids = href.split('?')[0]?.slice(`${area}/detail/`.length).split('/') ?? []
  return route.replace(/:\w+/g, () => ids.shift() ?? '')
}

const parametersOf = (route: string): string => (route.match(/:\w+/g) ?? []).join()
