import { organization } from '@dmp/contract'
import { anAlertRules, anOrganization, aReadiness } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { App } from '../App.tsx'

const item = anOrganization()
const logo = { dataURL: 'data:image/png;base64,AAAA', width: 480, height: 160, updatedDate: item.createdDate }
const answers = (shown: organization.OrganizationLogo | null) => [
  answer(organization.get, item),
  answer(organization.datastoreExists, { organizationExists: true }),
  answer(organization.getReadiness, aReadiness()),
  answer(organization.getLogo, shown),
  answer(organization.getAlertRules, anAlertRules()),
]

describe('the logo of an organization', () => {
  let current: organization.OrganizationLogo | null
  beforeEach(() => void (current = logo))

  it('is shown to its administrator, who takes it away after a question [P55]', async () => {
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at: '/account/organization',
      as: 'admin',
      answers: [...answers(logo), answer(organization.removeLogo, null)],
    })
    expect(await screen.findByRole('img', { name: `Logo of ${item.name}` })).toHaveAttribute('src', logo.dataURL)
    await user.click(screen.getByRole('button', { name: 'Remove logo' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText('Logo removed')).toBeInTheDocument()
    expect(calls(organization.removeLogo)).toEqual([{ id: item.id }])
    expect(await screen.findByText('No logo yet.')).toBeInTheDocument()
  })

  it.each([
    ['is back by Undo, as it was', logo, 'Logo restored', `Logo of ${item.name}`],
    ['says why Undo was refused', new CallError(503, 'BUSY', 'Try again later.'), 'Try again later.', undefined],
  ])('%s [P55]', async (_, reply, text, picture) => {
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at: '/account/organization',
      as: 'admin',
      answers: [
        ...answers(logo),
        // The server keeps what it was told last.
        answer(organization.getLogo, () => current),
        answer(organization.removeLogo, () => (current = null)),
        answer(organization.setLogo, () => {
          if (!(reply instanceof CallError)) current = reply
          return reply
        }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Remove logo' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText('No logo yet.')).toBeVisible()
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText(text)).toBeVisible()
    if (picture) expect(await screen.findByRole('img', { name: picture })).toHaveAttribute('src', logo.dataURL)
    else expect(screen.getByText('No logo yet.')).toBeVisible()
    expect(calls(organization.setLogo)).toEqual([
      { id: item.id, imageData: { filename: 'logo.png', filesize: 3, fileDataURL: logo.dataURL } },
    ])
  })

  it('is a picture that the form sends [P55, 5.09]', async () => {
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at: '/account/organization',
      as: 'admin',
      answers: [...answers(null), answer(organization.setLogo, logo)],
    })
    await user.click(await screen.findByRole('button', { name: 'Add logo' }))
    const dialog = await screen.findByRole('dialog', { name: 'Logo' })
    const file = new File([new Uint8Array(8)], 'logo.png', { type: 'image/png' })
    await user.upload(within(dialog).getByLabelText('Picture'), file)
    expect(await within(dialog).findByText(/^logo\.png/)).toBeInTheDocument()
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Logo changed')).toBeInTheDocument()
    expect(calls(organization.setLogo)).toMatchObject([
      { id: item.id, imageData: { filename: 'logo.png', filesize: 8 } },
    ])
    expect(await screen.findByRole('button', { name: 'Change logo' })).toBeInTheDocument()
  })
})
