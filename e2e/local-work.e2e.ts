import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { details, expect, test } from './support/journey.ts'
import { deployedRemotes } from './support/deployment.ts'
import { copyRemote, hearsUpdates, serveRemote } from './support/localWork.ts'

test(
  'one remote, served from its sources: asked for by a link, seen by this browser only, changed on the screen without a reload, and gone with its server',
  details({ needs: ['super', 'remote-user'] }),
  async ({ as, another, page, gates, baseURL }) => {
    // A remote is compiled from nothing on the way.
    test.slow()
    const folder = copyRemote('remote-user')
    const [served] = await Promise.all([serveRemote('remote-user', folder, baseURL ?? ''), as('super')])
    try {
      gates.expectElsewhere(served.address)
      await page.goto(served.link)
      await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
      const isListening = hearsUpdates(page, served.address)
      await page.getByRole('dialog').getByRole('button', { name: 'Use it in this browser' }).click()
      const bar = page.getByRole('region', { name: 'Overrides of this browser' })
      await expect(bar).toContainText(`Users (remote-user) from ${served.address}`)
      await expect(page.getByRole('table')).toBeVisible()
      await isListening
      await page.evaluate(() => document.body.setAttribute('data-same-page', 'yes'))

      const file = join(folder, 'src/list/UserListScreen.tsx')
      writeFileSync(file, readFileSync(file, 'utf8').replace('title="Users"', 'title="People"'))
      await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible()
      await expect(page.locator('body')).toHaveAttribute('data-same-page', 'yes')
      await expect((await another('super', '/user')).getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()

      // Who stops the server is not left with a broken area.
      gates.expectFailure(served.address)
      gates.expectError('WebSocket connection to')
      gates.expectError('[webpack-dev')
      served.process.kill('SIGTERM')
      await new Promise((ended) => served.process.once('exit', ended))
      await page.reload()
      await expect(page.getByText(/The override of Users \(remote-user\) was removed/)).toBeVisible()
      await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
      await page.reload()
      await expect(page.getByRole('table')).toBeVisible()
      await expect(bar).toHaveCount(0)
    } finally {
      served.process.kill('SIGKILL')
      rmSync(join(folder, '..'), { recursive: true, force: true })
    }
  },
)

test(
  'a super administrator sees what is live, part by part, and its history',
  details({ needs: ['super'] }),
  async ({ as }) => {
    const page = await as('super', '/platform')
    for (const part of ['Shell', ...deployedRemotes().map(({ declaration }) => declaration.title)])
      await expect(page.getByRole('region', { name: part, exact: true })).toContainText(/Since|No earlier release/)
    await expect(page.getByRole('table', { name: 'History' }).getByRole('row')).not.toHaveCount(1)
  },
)
