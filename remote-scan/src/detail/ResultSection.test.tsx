import { audit, scan } from '@dmp/contract'
import { aScan, northClinic } from '@dmp/contract/examples'
import { addData, answer, renderScreen, type Line } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const item = aScan()
const at = `/scan/detail/${northClinic.id}/${item.advanced.seriesUID}`
const others = [
  answer(scan.listShares, []),
  answer(scan.listStudies, { rows: [], total: 0 }),
  answer(scan.listHolds, { rows: [], total: 0 }),
  answer(audit.listActivity, { rows: [], total: 0 }),
]
const draw = (answers: readonly Line[]) =>
  renderScreen(<App notFound={<p>not found</p>} />, { at, as: 'admin', answers: [...others, ...answers] })

describe('the result of a program', () => {
  it('reads a report out, and says which program made it and that the viewer does not show it [P59]', async () => {
    const result = { kind: 'Report', madeBy: 'Acme AI', sender: 'Nodule finder' } as const
    const lines = [{ depth: 0, name: 'Impression', value: 'One nodule' }]
    const rest = { software: '2.1', title: 'Chest CT', mimeType: null, sopInstanceUID: '2.25.9', objects: 1 }
    draw([
      answer(scan.get, { ...item, result }),
      answer(scan.getResult, { ...result, ...rest, lines, isShortened: false }),
    ])
    const section = within(await screen.findByRole('region', { name: 'Report' }))
    expect(await section.findByRole('row', { name: 'Impression One nodule' })).toBeVisible()
    for (const text of ['Acme AI', 'Nodule finder', '2.1', 'The viewer does not show reports. Read it here.'])
      expect(section.getByText(text)).toBeVisible()
    expect(section.queryByRole('button', { name: 'Download PDF' })).toBeNull()
    expect(section.queryByText(/verifi/i)).toBeNull()
  })

  it.each([
    [false, 'Not verified'],
    [true, 'Verified'],
  ])('says beside its maker whether somebody verified it: %s [P59]', async (isVerified, words) => {
    const result = { kind: 'Report', madeBy: 'Acme AI', sender: null } as const
    const rest = { software: null, title: 'Chest CT', mimeType: null, sopInstanceUID: '2.25.9', objects: 1 }
    draw([
      answer(scan.get, { ...item, result }),
      answer(scan.getResult, { ...result, ...rest, isVerified, lines: [], isShortened: false }),
    ])
    const section = within(await screen.findByRole('region', { name: 'Report' }))
    expect((await section.findByText('Verification')).nextElementSibling).toHaveTextContent(words)
  })

  it.each([
    ['SecondaryCapture', 'This is the first of 3 objects. View shows all of them.'],
    ['Report', 'This is the first of 3 objects. Download the scan for the others.'],
  ] as const)('says where the others are of a result of several objects: %s [P59]', async (kind, words) => {
    const result = { kind, madeBy: 'Acme AI', sender: null }
    const rest = { software: null, title: 'Chest CT', mimeType: null, sopInstanceUID: '2.25.9', objects: 3 }
    draw([
      answer(scan.get, { ...item, result }),
      answer(scan.getResult, { ...result, ...rest, lines: [], isShortened: false }),
    ])
    expect(await screen.findByText(words)).toBeVisible()
  })

  it('saves a document as a file, under a name that tells nothing of the patient [P59, P23]', async () => {
    const result = { kind: 'Document', madeBy: null, sender: null } as const
    const rest = {
      software: null,
      title: 'Findings',
      mimeType: 'application/pdf',
      sopInstanceUID: '2.25.9',
      objects: 1,
    }
    const { user } = draw([
      answer(scan.get, { ...item, result }),
      answer(scan.getResult, { ...result, ...rest, lines: [], isShortened: false }),
    ])
    const save = await screen.findByRole('button', { name: 'Download PDF' })
    const asked = jest.fn(async (_path: string, _options: RequestInit) => ({
      ok: true,
      arrayBuffer: async () => new ArrayBuffer(4),
    }))
    globalThis.fetch = asked as unknown as typeof fetch
    URL.createObjectURL = () => 'blob:document'
    const saved: string[] = []
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    await user.click(save)
    await waitFor(() => expect(saved).toEqual(['report.pdf']))
    const [path, { headers }] = asked.mock.calls.at(-1) ?? ['', {}]
    expect(path).toContain('/instances/2.25.9/bulkdata/00420011?organizationId=')
    // Anything else would come as multipart, with the boundary in the file.
    expect(headers).toMatchObject({ Accept: 'application/octet-stream' })
  })
  it.each([
    [
      'the server',
      { ok: false, status: 404, text: async () => '{"message":"The document is gone."}' },
      'The document is gone.',
    ],
    ['the line', new Error('ECONNRESET'), 'The document could not be downloaded. Try again.'],
  ])('says why a document could not be saved, by %s, and no more once it could [P59]', async (_by, refused, said) => {
    const result = { kind: 'Document', madeBy: null, sender: null } as const
    const pdf = { title: 'Findings', mimeType: 'application/pdf', sopInstanceUID: '2.25.9', objects: 1, software: null }
    const { user } = draw([
      answer(scan.get, { ...item, result }),
      answer(scan.getResult, { ...result, ...pdf, lines: [], isShortened: false }),
    ])
    const save = await screen.findByRole('button', { name: 'Download PDF' })
    const asked = jest.fn(async () => {
      if (refused instanceof Error) throw refused
      return { headers: new Headers(), ...refused }
    })
    globalThis.fetch = asked as unknown as typeof fetch
    addData('The document is gone.')
    await user.click(save)
    expect(await screen.findByText(said)).toBeVisible()
    globalThis.fetch = jest.fn(async () => new Promise<never>(() => undefined))
    await user.click(save)
    expect(screen.queryByText(said)).toBeNull()
  })
})
