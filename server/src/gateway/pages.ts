import { getRoute } from '@dmp/contract/remote'
import type { PageSnapshot, Release, RemoteOnPage, RemoteSource } from '@dmp/contract/release'
import type { RuntimeSettings } from '@dmp/contract/settings'
import { sign } from '@dmp/contract/sign'
import { getIntegrity, releaseUrl, type Composition } from '@dmp/release/composition'
import { escapeHtml } from '../core/escapeHtml.ts'
import { drawnPage } from './drawnPage.ts'
import { firstCallsScript, listFirstCalls } from './firstCalls.ts'
import { hostStartScript } from './hostStartScript.ts'
import { pageGroundScript } from './pageGround.ts'
import { viewerStartScript } from './viewerStartScript.ts'

interface PageParts {
  readonly nonce: string
  readonly path: string
  /** The address as it was asked for, with its query; the path alone where left out. */
  readonly address?: string | undefined
  readonly composition: Composition
  readonly settings: RuntimeSettings
  /** Where the page gets the files of releases, when not from this server: `https://cdn.example.org/releases`. */
  readonly releases?: string | undefined
  /** What the browser says of its languages. */
  readonly acceptLanguage?: string | undefined
}

/**
 * The host's page. Beside the host's own script it asks at once for exactly what the address needs: the remote's
 * container (after the host, in order) and its screens and the shared modules that they take (in any order), with their
 * styles.
 */
export function hostPage(parts: PageParts): string {
  const { nonce, path, address = path, composition, settings, releases, acceptLanguage } = parts
  const { host, page } = composition
  // Only of whoever shows the address: a part of one team has nobody call anything at the addresses of others.
  const firstCalls = listFirstCalls([host.declaration, findRemoteAt(composition, path)?.declaration])
  const guest = findGuestAt(composition, path)
  const pages =
    guest || page.overrides ? undefined : composition.drawn.get(findRemoteAt(composition, path)?.name ?? 'host')
  const drawn = drawnPage({ nonce, path, pages, settings, acceptLanguage })
  const { since, styles } = composition
  const { style, script } = createTags({ nonce, releases, since, styles })
  const tags = [
    json('dmp-settings', settings),
    json('dmp-snapshot', located(page, releases)),
    // Scripts name the hashes of all that they load but these. On this server each file is compared before it is sent.
    ...(releases === undefined ? [] : [json('dmp-texts', composition.texts)]),
    pageGroundScript(nonce),
    // Before any style: an inline script waits for those that stand before it.
    ...firstCallsScript(
      nonce,
      firstCalls.filter(({ call }) => guest === undefined || guest.calls.includes(call)),
      address,
      settings,
    ),
    hostStartScript(nonce, settings),
    ...host.initial.filter(isStyle).map((file) => style(host, file)),
    ...host.initial.filter((file) => file.endsWith('.js')).map((file) => script(host, file, 'defer')),
    script(host, host.entry, 'defer'),
    ...neededAt(composition, path, { style, script }),
  ]
  return wholePage(
    settings.applicationName,
    tags,
    `<div id="root"></div>${drawn}<noscript>This application needs JavaScript. Please switch it on and load the page again.</noscript>`,
  )
}

/** The remote that shows the address; undefined where the host does. */
export function findRemoteAt({ remotes, page }: Composition, path: string): Release | undefined {
  const declarations = page.remotes.map(({ declaration }) => declaration)
  return remotes.get(getRoute(declarations, path === '/' ? '/login' : path)?.owner.name ?? '')
}

/** What the page may do for the part at the address; undefined where that runs in the page itself. */
function findGuestAt(composition: Composition, path: string): RemoteOnPage['guest'] {
  const name = findRemoteAt(composition, path)?.name
  return composition.page.remotes.find(({ declaration }) => declaration.name === name)?.guest
}

function neededAt(composition: Composition, path: string, tags: Tags): string[] {
  const { host } = composition
  const remote = findRemoteAt(composition, path)
  // A guest's scripts are for its frame alone.
  if (remote === undefined || findGuestAt(composition, path)) return []
  return listNeeded({ host, remote, groups: ['./App', ...findScreen(remote, path)] }, tags)
}

interface Needed {
  readonly host: Release
  readonly remote: Release
  /** Exposed modules and screens. */
  readonly groups: readonly string[]
}

/** The tags of a remote's scripts and styles, and of the shared modules that they take. */
export function listNeeded({ host, remote, groups }: Needed, { style, script }: Tags): string[] {
  const shared = groups
    .flatMap((group) => remote.uses[group] ?? [])
    .flatMap((module) => (Object.hasOwn(host.chunks, module) ? (host.chunks[module] ?? []) : []))
  const once = (files: readonly string[]): readonly string[] => [...new Set(files)]
  return [
    script(remote, remote.entry, 'defer'),
    ...once(groups.flatMap((group) => remote.chunks[group] ?? [])).map((file) =>
      isStyle(file) ? style(remote, file) : script(remote, file, 'async'),
    ),
    ...once(shared).map((file) => (isStyle(file) ? style(host, file) : script(host, file, 'async'))),
  ]
}

/** The screen that comes apart from its remote: its folder is a segment of the address, of several the deepest. */
function findScreen({ chunks }: Release, path: string): readonly string[] {
  const groups = path.split('/').map((segment) => `./App/${segment}`)
  return groups.filter((group) => Object.hasOwn(chunks, group)).slice(-1)
}

const listScripts = (files: readonly string[]): string[] => files.filter((file) => file.endsWith('.js'))

export const isStyle = (file: string): boolean => file.endsWith('.css')

interface Tags {
  readonly style: (release: Release, file: string) => string
  readonly script: (release: Release, file: string, order: 'defer' | 'async') => string
}

interface TagParts {
  /** Left out where the policy names the scripts' folders. */
  readonly nonce?: string
  readonly releases: string | undefined
  /** By part: files that have their address from an earlier release; none where left out. */
  readonly since?: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** By `<part>/<file>`: styles that the page carries itself, under its nonce; none where left out. */
  readonly styles?: ReadonlyMap<string, string>
  /** The page's origin is nobody's. */
  readonly isGuest?: boolean
}

/** Tags of a page's files. From another origin the browser checks hashes only of what it asked for with CORS. */
export function createTags({ nonce, releases, since, styles, isGuest = false }: TagParts): Tags {
  const isElsewhere = releases !== undefined || isGuest
  const mark = nonce === undefined ? '' : ` nonce="${nonce}"`
  const address = ({ name, releaseId }: Release, file: string): string =>
    at(releases, releaseUrl(name, since?.get(name)?.get(file) ?? releaseId, file))
  const checked = (release: Release, file: string): string =>
    `integrity="${getIntegrity(release, file)}"${isElsewhere ? ' crossorigin="anonymous"' : ''}`
  return {
    style: (release, file) => {
      const text = styles?.get(`${release.name}/${file}`)
      // By this name the code of its part finds it, and asks for no file.
      return text === undefined
        ? `<link rel="stylesheet" href="${address(release, file)}" ${checked(release, file)}>`
        : `<style data-href="${file}"${mark}>${text}</style>`
    },
    script: (release, file, order) =>
      `<script ${order} src="${address(release, file)}" ${checked(release, file)}${mark}></script>`,
  }
}

const at = (releases: string | undefined, url: string): string =>
  releases === undefined ? url : releases + url.slice('/releases'.length)

/** The snapshot with the addresses that this page shall use, and the origin that it may run scripts from. */
function located(page: PageSnapshot, releases: string | undefined): PageSnapshot {
  if (releases === undefined) return page
  const moved = (source: RemoteSource): RemoteSource => ({ ...source, entry: at(releases, source.entry) })
  return {
    ...page,
    releases,
    remotes: page.remotes.map((remote) => ({
      ...remote,
      entry: at(releases, remote.entry),
      ...(remote.previous ? { previous: moved(remote.previous) } : {}),
    })),
  }
}

/** 200 for addresses that some part owns, 404 for all others: the page is the same and shows the not-found screen. */
export function pageStatus({ host, page }: Composition, path: string): number {
  const declarations = [host.declaration, ...page.remotes.map(({ declaration }) => declaration)].filter(
    (declaration) => declaration !== undefined,
  )
  return path === '/' || getRoute(declarations, path) ? 200 : 404
}

/**
 * The viewer's page, watched where there is a nonce for it. Its large chunks come in beside the small first script,
 * instead of after it.
 */
export function viewerPage(viewer: Release, settings: RuntimeSettings, nonce: string | undefined): string {
  const address = (file: string) => releaseUrl('viewer', viewer.releaseId, file)
  const checked = (file: string) => `"${address(file)}" integrity="${getIntegrity(viewer, file)}"`
  const tags = [...viewer.initial, viewer.entry].map((file) =>
    file.endsWith('.css')
      ? `<link rel="stylesheet" href=${checked(file)}>`
      : `<script defer src=${checked(file)}></script>`,
  )
  // As the first script asks for them: a preload with integrity would not be taken for that request.
  const later = listScripts(Object.values(viewer.chunks).flat()).map(
    (file) => `<link rel="preload" as="script" href="${address(file)}">`,
  )
  return wholePage(
    `Image viewer · ${settings.applicationName}`,
    [
      ...(nonce === undefined ? [] : [viewerStartScript({ nonce, releaseId: viewer.releaseId, settings })]),
      ...tags,
      ...later,
      json('dmp-settings', settings),
    ],
    '<div id="root"></div><noscript>The viewer needs JavaScript. Please switch it on and load the page again.</noscript>',
  )
}

export function nothingLivePage(settings: RuntimeSettings): string {
  return wholePage(
    settings.applicationName,
    [],
    '<main><h1>The application is not there yet</h1><p>No release is live on this server. Whoever runs it can put one live with <code>npm run build</code> and <code>npm run release</code>.</p></main>',
  )
}

/** After that long a page that waits for the viewer asks again. */
export const comingSeconds = 5

export function comingPage(settings: RuntimeSettings): string {
  return wholePage(
    settings.applicationName,
    [`<meta http-equiv="refresh" content="${comingSeconds}">`],
    '<main><h1>The image viewer is still being built</h1><p>This page shows it as soon as it is there, in about a minute. Nothing is lost; everything else can be used meanwhile.</p></main>',
  )
}

export function unreadablePage(settings: RuntimeSettings): string {
  return wholePage(
    settings.applicationName,
    [],
    '<main><h1>The application cannot be shown right now</h1><p>The release registry of this server cannot be read. Whoever runs it finds the reason and the cure in its log; nothing that was saved is lost.</p></main>',
  )
}

const colour = (name: 'ground' | 'line') => encodeURIComponent(sign[name])
const icon = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='${sign.box}'%3E%3Crect width='32' height='32' rx='7' fill='${colour('ground')}'/%3E%3Cpath d='${sign.path}' fill='none' stroke='${colour('line')}' stroke-width='2.5' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E`

export function wholePage(title: string, head: readonly string[], body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${icon}">
${head.join('\n')}
</head>
<body>${body}</body>
</html>
`
}

/** A data block; `<` is written so that no value can end it. */
export const json = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`
