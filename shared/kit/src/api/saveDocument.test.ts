import { saveDocument } from '@dmp/kit'
import { placeSettings, signInAs } from '@dmp/kit/testing'

const real = { fetch: globalThis.fetch, create: URL.createObjectURL, revoke: URL.revokeObjectURL }
afterEach(() => {
  globalThis.fetch = real.fetch
  Object.assign(URL, { createObjectURL: real.create, revokeObjectURL: real.revoke })
  jest.restoreAllMocks()
})

/** Saves the document of a server that answers so. */
function save(answer: Response) {
  placeSettings()
  signInAs('staff')
  const asked = jest.fn(async (_path: string, _how: RequestInit) => answer)
  globalThis.fetch = asked as unknown as typeof fetch
  const saved: { name: string; type: string; bytes: number }[] = []
  let held: Blob | undefined
  Object.assign(URL, { createObjectURL: (blob: Blob) => ((held = blob), 'blob:it'), revokeObjectURL: () => undefined })
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, type: held?.type ?? '', bytes: held?.size ?? 0 })
  })
  return { done: saveDocument('/dicom-web/a', 'report.pdf'), saved, asked }
}

it('saves a document under the name of the caller, never as a page, with the token of the session', async () => {
  const { done, saved, asked } = save(new Response('12345', { headers: { 'content-type': 'text/html' } }))
  await done
  expect(saved).toEqual([{ name: 'report.pdf', type: 'application/octet-stream', bytes: 5 }])
  expect(asked.mock.calls[0]?.[1].headers).toMatchObject({ Authorization: 'Bearer an-access-token' })
})

it('saves no refusal under that name, and says why [8.02]', async () => {
  const { done, saved } = save(Response.json({ code: 'GONE', message: 'It is gone.' }, { status: 410 }))
  await expect(done).rejects.toMatchObject({ status: 410, message: 'It is gone.' })
  expect(saved).toEqual([])
})
