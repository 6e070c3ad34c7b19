import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReleaseStatus } from '@dmp/contract/releaseCalls'
import type { APIRequestContext, Page } from 'playwright/test'
import { caller } from './support/caller.ts'
import { getAccountState } from './support/deployment.ts'
import { aDicomFile, freshUid } from './support/dicomFile.ts'
import { details, expect, fillIn, test } from './support/journey.ts'
import { newestMail } from './support/mailbox.ts'
import {
  deactivateOrganization,
  deactivateUser,
  deleteCopies,
  deleteScans,
  findOrganization,
  markedAddress,
  rejectRegistration,
  resolveComplaint,
} from './support/marked.ts'
import { noteTransfer } from './support/page.ts'
import { countPresses } from './support/presses.ts'

// Twelve tasks of a day. What they cost stands in the table of docs/screens.md, with which each is compared.

const rows = (page: Page) => page.getByRole('table', { name: 'Studies' }).locator('[data-study]')
const first = 'First Passw0rd!'
const second = 'Second Passw0rd!'

test.describe('a day takes as few presses as docs/screens.md says', { tag: '@desktop' }, () => {
  // One after the other: each role signs in once.
  test.describe.configure({ mode: 'default' })

  test(
    'for staff: finding a patient and looking at a study [P73]',
    details({ needs: ['staff', 'viewable scan', 'quick viewer', 'remote-scan'] }),
    async ({ as, context }) => {
      const presses = await countPresses(context)
      const page = await as('staff', '/scan/worklist')
      const eye = rows(page)
        .getByRole('button', { name: /^View / })
        .and(page.locator(':enabled'))
        .first()
      await expect(eye).toBeVisible()
      const patient = await rows(page).first().getByRole('link').first().innerText()
      presses.begin()
      const opening = context.waitForEvent('page')
      await eye.click()
      const viewer = await opening
      await expect(viewer.locator('canvas').first()).toBeVisible()
      await presses.expectTask('look at a study')
      await viewer.close()

      await page.goto('/account/profile')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profile')
      presses.begin()
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('combobox', { name: 'Search everything' }).fill(patient)
      const found = page.getByRole('listbox', { name: 'Results' }).getByRole('group', { name: 'Patients' })
      await expect(found.getByRole('option').first()).toContainText(patient)
      await presses.expectTask('find a patient')
    },
  )

  test(
    'for an administrator: a disc in, its scans shared and sent on, and who looked at them [P73]',
    details({
      needs: ['admin', 'southAdmin', 'transfer', 'remote-scan', 'remote-audit'],
      writes:
        'two scans of E2E_SOUTHADMIN with a share link, and their copies at E2E_ADMIN; all are deleted at the end',
    }),
    async ({ as, context, request, undo }, info) => {
      // Several tasks and people: slow machines need the time.
      test.slow()
      const patientID = `Day-${Date.now()}`
      const { organizationId } = getAccountState('southAdmin')
      const receiver = getAccountState('admin')
      undo('the scans', async (callAs) => deleteScans(await callAs('southAdmin'), organizationId, patientID))
      const seriesUIDs = [freshUid(), freshUid()]
      const disc = info.outputPath('disc')
      mkdirSync(disc, { recursive: true })
      for (const [at, seriesUID] of seriesUIDs.entries()) {
        const identity = { patientName: 'Journey^Day', patientID, studyUID: freshUid(), seriesUID }
        writeFileSync(join(disc, `${at}.dcm`), aDicomFile(identity))
      }

      const presses = await countPresses(context)
      const page = await as('southAdmin', '/scan/worklist')
      const sent = noteTransfer(page)
      undo('the copies', async (callAs) =>
        deleteCopies(await callAs('southAdmin'), await callAs('admin'), receiver.organizationId, sent.id),
      )
      await expect(page.getByRole('table', { name: 'Studies' })).toBeVisible()
      presses.begin()
      await page.getByRole('button', { name: 'Upload', exact: true }).click()
      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Choose folder' }).click()
      await (await choosing).setFiles(disc)
      await expect(page.getByRole('heading', { name: 'Upload finished' })).toBeVisible()
      await presses.expectTask('upload a disc')

      const { call } = await caller(request, 'southAdmin')
      await call('GET', `Scan/get?organizationId=${organizationId}&seriesUID=${seriesUIDs[0]}`)
      const openWorklist = async () => {
        await page.goto('/scan/worklist')
        await page.getByRole('searchbox', { name: 'Search studies' }).fill(patientID)
        await expect(rows(page)).toHaveCount(2)
        presses.begin()
      }
      await openWorklist()
      await rows(page)
        .first()
        .getByRole('button', { name: /^Share / })
        .click()
      const sharing = page.getByRole('dialog', { name: 'Share' })
      await sharing.getByLabel('Send the link to (optional)').fill(markedAddress('reader'))
      await sharing.getByRole('checkbox', { name: /Are you sure/ }).check()
      await sharing.getByRole('button', { name: 'Create Share Link' }).click()
      await expect(page.getByRole('textbox', { name: 'Share link' })).toBeVisible()
      await presses.expectTask('share a study, by mail')

      await openWorklist()
      for (const at of [0, 1]) await rows(page).nth(at).getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Transfer…' }).click()
      const sending = page.getByRole('dialog', { name: 'Batch Transfer' })
      await sending.getByLabel('Destination organization name').fill(receiver.organization)
      await sending.getByRole('button', { name: 'Transfer', exact: true }).click()
      await expect(page.getByText('Successfully initiated Batch Transfer')).toBeVisible()
      await presses.expectTask('transfer studies', seriesUIDs.length)
      // What is taken away at the end has arrived.
      await expect(page.getByText(`The transfer to ${receiver.organization} is complete`)).toBeVisible()

      await openWorklist()
      await rows(page).locator(`a[href$="${seriesUIDs[0]}"]`).first().click()
      const activity = page.getByRole('region', { name: 'Activity' })
      await expect(activity.getByRole('listitem').filter({ hasText: 'viewed' }).first()).toBeVisible()
      await presses.expectTask('see who viewed a study')
    },
  )

  test(
    'for the provider: a customer in, licensed, a complaint answered, a release taken back [P73]',
    details({
      needs: ['super', 'staff', 'mailbox', 'remote-registration', 'remote-organization', 'remote-complaint'],
      writes:
        'an organization Day-… and its first administrator, deactivated at the end, and a complaint of E2E_STAFF, which ends Resolved',
    }),
    async ({ as, context, request, undo }) => {
      test.slow()
      const name = `Day-${Date.now().toString(36)}`
      const email = markedAddress('day')
      undo(`the organization ${name}`, async (callAs) => deactivateOrganization(await callAs('super'), name))
      undo(`the registration of ${email}`, async (callAs) => rejectRegistration(await callAs('super'), email))
      const { call } = await caller(request, 'super')
      const registrationId = await register(call, { email, organizationName: name })
      const complaintId = await complain(request)
      undo('the complaint', async (callAs) => resolveComplaint(await callAs('super'), complaintId))

      const presses = await countPresses(context)
      const page = await as('super', `/registration/detail/${registrationId}`)
      const began = new Date()
      await expect(page.getByText('Registration pending')).toBeVisible()
      presses.begin()
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
      await expect(page.getByText(`Registration for ${name} approved`)).toBeVisible()
      await presses.expectTask('approve a customer until they can work')
      expect((await newestMail(request, email, began)).code, 'the password is mailed').toBeTruthy()
      const organization = await findOrganization(call, name)
      expect(await call('GET', `Organization/datastoreExists?id=${organization?.id}`)).toMatchObject({
        organizationExists: true,
      })

      await page.goto(`/organization/detail/${organization?.id}`)
      await expect(page.getByRole('button', { name: 'Assign SaaS' })).toBeVisible()
      presses.begin()
      await page.getByRole('button', { name: 'Assign SaaS' }).click()
      await page.getByRole('checkbox', { name: 'Active BMD' }).check()
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('License/s have been successfully assigned')).toBeVisible()
      await presses.expectTask('license an add-on')

      await page.goto(`/complaint/detail/${complaintId}`)
      // Its statuses are there.
      await expect(page.getByRole('button', { name: 'Change status' })).toHaveAttribute('aria-busy', 'false')
      presses.begin()
      await page.keyboard.press('r')
      await page.getByRole('dialog', { name: 'Change status' }).getByLabel('Comment').fill('Mended.')
      await page.keyboard.press('ControlOrMeta+Enter')
      await expect(page.getByText('Complaint status updated to Resolved')).toBeVisible()
      await presses.expectTask('resolve a complaint, with a comment')

      await pretendEarlierRelease(page)
      await page.goto('/platform')
      presses.begin()
      await page
        .getByRole('button', { name: /^Roll back to/ })
        .first()
        .click()
      await page.getByRole('dialog').getByLabel('Reason').fill('It fails.')
      await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click()
      await expect(page.getByText(/rolled back to/).first()).toBeVisible()
      await presses.expectTask('roll a release back')
    },
  )

  test(
    'for a colleague: added, and with another password [P73]',
    details({
      needs: ['admin', 'mailbox', 'remote-user', 'remote-account'],
      writes: 'a user in the organization of E2E_ADMIN, who is deactivated at the end',
    }),
    async ({ another, context, request, undo, page }) => {
      test.slow()
      const email = markedAddress('day-colleague')
      undo(`the user ${email}`, async (callAs) => deactivateUser(await callAs('admin'), email))
      const began = new Date()
      const adding = await another('admin', '/user')
      const presses = await countPresses(adding.context())
      await adding.reload()
      await expect(adding.getByRole('table').first()).toBeVisible()
      presses.begin()
      await adding.getByRole('button', { name: 'Add User' }).click()
      await adding.getByRole('textbox', { name: 'First Name' }).fill('Dora')
      await adding.getByRole('textbox', { name: 'Last Name' }).fill('Day')
      await adding.getByLabel('User Role').selectOption({ label: 'Staff' })
      await adding.getByLabel('Email', { exact: true }).fill(email)
      await adding.getByRole('button', { name: 'Save' }).click()
      await expect(adding.getByText(/^Account for .* Dora Day has been added$/)).toBeVisible()
      await presses.expectTask('add a user')

      const { code } = await newestMail(request, email, began)
      const theirs = await countPresses(context)
      await page.goto('/login')
      await fillIn(page, { email, password: code ?? '' })
      await page.getByLabel('New password').fill(first)
      await page.getByLabel('Confirm password').fill(first)
      await page.getByRole('checkbox', { name: /Terms of Use/ }).check()
      await page.getByRole('button', { name: 'Set New Password' }).click()
      await expect(page).toHaveURL(/\/dashboard$/)
      theirs.begin()
      await page.getByRole('navigation', { name: 'Modules' }).getByRole('link', { name: 'Security' }).click()
      await page.getByLabel('Current password').fill(first)
      await page.getByLabel('New password').fill(second)
      await page.getByLabel('Confirm password').fill(second)
      await page.getByRole('button', { name: 'Change password' }).click()
      await expect(page.getByText('Password changed successfully!')).toBeVisible()
      await theirs.expectTask('change the password')
    },
  )
})

type Call = Awaited<ReturnType<typeof caller>>['call']

async function register(call: Call, names: { email: string; organizationName: string }): Promise<string> {
  await call('POST', 'Registration/add', {
    civility: 'Ms',
    firstName: 'Dora',
    lastName: 'Day',
    mobile: null,
    landline: null,
    fax: null,
    ...names,
  })
  const waiting = await call<{ id: string; contactInfo: { email: string } }[]>(
    'GET',
    `Registration/list?status=New&page=1&pageSize=10&search=${encodeURIComponent(names.email)}`,
  )
  return waiting.find(({ contactInfo }) => contactInfo.email === names.email)?.id ?? ''
}

async function complain(request: APIRequestContext): Promise<string> {
  const { call } = await caller(request, 'staff')
  const [type] = await call<{ id: string }[]>('GET', 'Complaint/listTypes')
  const { policy } = await call<{ policy: { moduleId: string }[] }>('GET', 'account/profile')
  const draft = { typeId: type?.id, moduleId: policy[0]?.moduleId, description: 'A day of work.', imageData: null }
  return (await call<{ id: string }>('POST', 'Complaint/add', draft)).id
}

/** The deployment keeps its releases: the page is told of an earlier one, and the move ends here. */
async function pretendEarlierRelease(page: Page): Promise<void> {
  await page.route('**/api/Release/status', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: ReleaseStatus }
    const parts = answer.data.parts.map((part) => ({
      ...part,
      before: { releaseId: '0123456789abcdef', version: '0.9.0' },
      isRolledBack: false,
    }))
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, parts } } })
  })
  await page.route('**/api/Release/rollback', (route) => route.fulfill({ json: { data: null } }))
}
