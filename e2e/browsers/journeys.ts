import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Call } from '../support/api.ts'
import { aDicomFile, freshUid, toStoreRequest } from '../support/dicomFile.ts'
import { deleteScans } from '../support/marked.ts'
import { farthest, quarteredObjects, readQuarters } from '../support/quarteredObjects.ts'
import type { Tab } from './Tab.ts'

export interface Site {
  /** Calls of E2E_ADMIN, whose organization the journeys write into. */
  readonly admin: { readonly call: Call; readonly headers: Record<string, string>; readonly organizationId: string }
  /** For files to be uploaded; removed afterwards. */
  readonly folder: string
  /** A tab in a session of its own. */
  another(): Promise<Tab>
}

type Journey = (tab: Tab, site: Site) => Promise<void>

const freshPatient = (): string => `B${freshUid().slice(-12)}`
const identityOf = (patientID: string) => ({
  patientName: 'Journey^Browser',
  patientID,
  studyUID: freshUid(),
  seriesUID: freshUid(),
})

async function store({ admin }: Site, address: string, file: Buffer): Promise<void> {
  const { body, contentType } = toStoreRequest([file])
  const reply = await fetch(`${address}/dicom-web/studies`, {
    method: 'POST',
    headers: { ...admin.headers, 'content-type': contentType, accept: 'application/dicom+json' },
    body: new Uint8Array(body),
  })
  if (reply.status !== 200) throw new Error(`The store answered ${reply.status}.`)
}

/** Opens the viewer on the scan of a patient, in a tab that is signed in. */
async function openViewer(tab: Tab, { admin }: Site, patientID: string): Promise<void> {
  const [row] = await admin.call<{ imageSetID: string }[]>('GET', `Scan/list?page=1&pageSize=10&search=${patientID}`)
  const url = await tab.read(
    async (headers, imageSetID) => {
      const reply = await fetch('/launch', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ imageSetID }),
      })
      return ((await reply.json()) as { data: { url: string } }).data.url
    },
    admin.headers,
    row?.imageSetID ?? '',
  )
  await tab.open(`${url}&sessionId=11111111-2222-4333-8444-555555555555`)
  await tab.waitFor('.pane:not(.empty)')
}

const withScan = async ({ admin }: Site, patientID: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } finally {
    await deleteScans(admin.call, admin.organizationId, patientID)
  }
}

/** The ways that hang on the browser, in Firefox and WebKit. Playwright's journeys try the rest, in Chromium. */
export const journeys: Readonly<Record<string, Journey>> = {
  'a session outlives a reload and ends by signing out': async (tab) => {
    await tab.signIn('staff')
    await tab.reload()
    await tab.waitFor('nav[aria-label="Modules"]')
    await tab.click('Log out')
    await tab.isAt('/login')
  },

  'every area opens, from its own release': async (tab) => {
    await tab.signIn('super')
    const areas = await tab.read(() =>
      [...document.querySelectorAll('nav[aria-label="Modules"] a')].map((link) => link.getAttribute('href') ?? ''),
    )
    for (const area of areas) {
      await tab.open(area)
      await tab.waitFor('main h1')
      await tab.waitUntil(() => !document.querySelector('main [aria-busy="true"]'))
      const alerts = await tab.read(() =>
        [...document.querySelectorAll('main [role="alert"]')].map(({ textContent }) => textContent),
      )
      if (alerts.length > 0) throw new Error(`${area} shows ${alerts.join(' · ')}`)
    }
    if (areas.length < 5) throw new Error(`Only ${areas.length} areas are there.`)
  },

  'an upload by hand arrives': async (tab, site) => {
    const patientID = freshPatient()
    await withScan(site, patientID, async () => {
      await tab.signIn('admin')
      await tab.open('/scan/upload')
      const path = join(site.folder, 'upload.dcm')
      writeFileSync(path, aDicomFile(identityOf(patientID)))
      await tab.upload('input[type="file"]', path)
      await tab.sees('Upload finished')
      const rows = await site.admin.call<unknown[]>('GET', `Scan/list?page=1&pageSize=10&search=${patientID}`)
      if (rows.length !== 1) throw new Error(`${rows.length} scans arrived.`)
    })
  },

  'a shared link opens for a stranger': async (_tab, site) => {
    const patientID = freshPatient()
    const stranger = await site.another()
    const identity = identityOf(patientID)
    await withScan(site, patientID, async () => {
      await store(site, stranger.address, aDicomFile(identity))
      const body = { seriesUID: identity.seriesUID, expireInDay: 1 }
      const link = await site.admin.call<{ downloadUrl: string }>(
        'POST',
        `Scan/share/${site.admin.organizationId}`,
        body,
      )
      await stranger.open(link.downloadUrl)
      await stranger.sees('Valid until')
    })
  },

  ...Object.fromEntries(
    quarteredObjects.map(({ name, file, quarters }): [string, Journey] => [
      `the viewer opens and shows ${name}`,
      async (tab, site) => {
        const patientID = freshPatient()
        await withScan(site, patientID, async () => {
          await store(site, tab.address, file(identityOf(patientID)))
          await tab.open('/login')
          await openViewer(tab, site, patientID)
          await tab.sees('Zoom 1.00×')
          let off = Infinity
          for (let looks = 0; looks < 300 && off >= 12; looks += 1) {
            off = farthest(await tab.readElement('.picture canvas', readQuarters), quarters)
            // The picture may still be on its way to the screen.
            if (off >= 12) await pause(100)
          }
          if (off >= 12) throw new Error(`The worst shade is ${off} away from what it has to be.`)
        })
      },
    ]),
  ),
}
