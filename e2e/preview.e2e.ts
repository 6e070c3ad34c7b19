import { account } from './support/accounts.ts'
import { details, expect, test } from './support/journey.ts'
import { violations } from './support/axe.ts'
import { bringChanged, runRelease } from './support/previewedRemote.ts'

interface Shown {
  readonly preview: { readonly address: string; readonly releaseId: string }
  readonly summary: string
}

test(
  'a change of a remote is shown at one address to a named person, who is asked first, beside what everybody else has, and ends [P83]',
  details({
    needs: ['demo', 'super', 'sys', 'remote-user'],
    writes: 'an API token and a preview of E2E_SUPER, which end at the end',
  }),
  async ({ as, another, undo, gates, baseURL }) => {
    // Two people, and a build that the server compresses on its way in.
    test.slow()
    const deployment = baseURL ?? ''
    const name = `Preview ${Date.now().toString(36)}`
    undo(`the API token ${name}`, async (callAs) => {
      const call = await callAs('super')
      await call('POST', 'Release/endPreviews', { part: 'remote-user' })
      const rows = await call<{ id: string; status: string }[]>(
        'GET',
        `ApiToken/list?page=1&pageSize=10&search=${encodeURIComponent(name)}`,
      )
      for (const { id, status } of rows) if (status !== 'Ended') await call('PUT', `ApiToken/end/${id}`)
    })

    // Whoever runs the platform makes the team's token, and names who may look.
    const platform = await another('super', '/account/api-tokens')
    await platform.getByRole('button', { name: 'New API token' }).click()
    const dialog = platform.getByRole('dialog', { name: 'New API token' })
    await dialog.getByLabel('Name', { exact: true }).fill(name)
    await dialog.getByRole('checkbox', { name: /^Bring releases and let named people open them/ }).check()
    await dialog.getByLabel('Parts (for releases)').fill('remote-user')
    await dialog.getByLabel('People who open its previews (optional)').fill(account('sys').email)
    await dialog.getByLabel('Your password').fill(account('super').password)
    await dialog.getByRole('button', { name: 'Create API token' }).click()
    const made = platform.getByRole('dialog', { name: `API token for ${name}` })
    const token = await made.getByLabel('API token', { exact: true }).inputValue()
    await made.getByRole('button', { name: 'Close' }).last().click()

    // The team's pipeline has nothing else.
    const releaseId = await bringChanged(deployment, token, 'remote-user', (script) =>
      script.replaceAll('"Users"', '"People, as changed"'),
    )
    const shown = await runRelease<Shown>(
      deployment,
      token,
      'preview',
      'remote-user',
      '--release',
      releaseId,
      '--change',
      'pr-17',
    )
    expect(shown.preview.releaseId).toBe(releaseId)
    expect(shown.summary).toContain(`**[Open the preview](${shown.preview.address})** – not live.`)
    const address = new URL(shown.preview.address)

    const page = await as('sys', `${address.pathname}${address.search}`)
    const question = page.getByRole('dialog', { name: 'Open the preview of Users?' })
    await expect(question).toContainText('It runs in your session and can do everything that you can do', {
      ignoreCase: true,
    })
    await expect(question).toContainText(name)
    await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
    expect(await violations(page)).toEqual([])
    await question.getByRole('button', { name: 'Open it in this browser' }).click()

    const bar = page.getByRole('region', { name: 'Overrides of this browser' })
    await expect(bar).toContainText('Preview of Users (remote-user)')
    await expect(bar).toContainText('not live')
    await expect(page.getByRole('heading', { level: 1, name: 'People, as changed' })).toBeVisible()
    await bar.getByRole('button', { name: 'Details of the preview of Users (remote-user)' }).click()
    await expect(page.getByRole('dialog')).toContainText('pr-17')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')

    // Beside it, for everybody else: what is live.
    await platform.goto('/user')
    await expect(platform.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
    await platform.goto('/platform')
    const listed = platform.getByRole('region', { name: 'Previews' }).getByRole('listitem').filter({ hasText: 'pr-17' })
    await expect(listed).toContainText(name)

    // Whoever looked ends it for themselves; the team for everybody.
    await bar.getByRole('button', { name: /^End the preview of Users/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
    await expect(bar).toHaveCount(0)
    await page.goto(`${address.pathname}${address.search}`)
    await page.getByRole('button', { name: 'Open it in this browser' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'People, as changed' })).toBeVisible()
    await runRelease(deployment, token, 'preview', 'remote-user', '--end', '--change', 'pr-17')
    // It is now as if it had never been, also for who had it open.
    gates.expectStatus(404, '/api/Release/getPreview')
    await page.goto(`${address.pathname}${address.search}`)
    await expect(page.getByText(/This preview has ended, or it is not for you/)).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
    await expect(bar).toHaveCount(0)
  },
)
