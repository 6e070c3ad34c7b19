import sharp from 'sharp'
import { limits, type organization } from '@dmp/contract'
import type { OrganizationLogo } from '@dmp/contract/organization'
import { Refusal } from '../../core/errors.ts'
import { FairTurns } from '../../core/fairTurns.ts'
import { formatBytes } from '../../core/formatBytes.ts'
import type { Handlers } from '../../core/handlers.ts'
import type { Db } from '../../db/client.ts'
import type { Dependencies } from '../../dependencies.ts'
import { createImageCleaning, toDataURL } from '../complaint/complaint.image.ts'
import { getOrganizationRow, lockOrganization } from './organization.repository.ts'
import { refuseBuiltIn } from './organization.rules.ts'

type LogoHandlers = Pick<Handlers<typeof organization>, 'getLogo' | 'setLogo' | 'removeLogo'>

/** One at a time: a logo is changed once in years. */
const drawingTurns = {
  atOnce: 1,
  perCustomer: 1,
  perPerson: 1,
  waitingPerPerson: 2,
  waitingPerCustomer: 2,
  waitingInAll: 16,
} as const

export function logoHandlers({ db, write, penalties }: Dependencies): LogoHandlers {
  const clean = createImageCleaning(penalties)
  const turns = new FairTurns(drawingTurns)
  return {
    getLogo: async ({ id }, { viewer }) => findLogo(db, (await getOrganizationRow(db, viewer, id)).id),

    setLogo: async ({ id, imageData }, context) => {
      const { viewer } = context
      refuseBuiltIn(await getOrganizationRow(db, viewer, id), 'given a logo')
      const logo = await turns.run({ customer: viewer.organizationId, person: viewer.userId }, async () =>
        drawLogo((await clean(imageData, context)).content),
      )
      return write(context, async ({ trx, audit }) => {
        const { id: organizationId } = await lockOrganization(trx, viewer, id)
        const values = { ...logo, updated_date: new Date() }
        await trx
          .insertInto('organization_logos')
          .values({ organization_id: organizationId, ...values })
          .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
          .execute()
        await audit({ event: 'OrganizationLogoChanged', organizationId })
        return findLogo(trx, organizationId)
      })
    },

    removeLogo: ({ id }, context) =>
      write(context, async ({ trx, audit }) => {
        const { id: organizationId, name } = await lockOrganization(trx, context.viewer, id)
        const [removed] = await trx
          .deleteFrom('organization_logos')
          .where('organization_id', '=', organizationId)
          .returning('organization_id')
          .execute()
        if (!removed) throw new Refusal(409, 'UNCHANGED', `${name} has no logo.`)
        await audit({ event: 'OrganizationLogoRemoved', organizationId })
        return null
      }),
  }
}

/** Who may see it is for the caller of this function to decide: whoever has a link of the organization may. */
export async function findLogo(db: Db, organizationId: string): Promise<OrganizationLogo | null> {
  const row = await db
    .selectFrom('organization_logos')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (!row) return null
  return {
    dataURL: toDataURL({ mediaType: 'image/png', content: Buffer.from(row.content) }),
    width: row.width,
    height: row.height,
    updatedDate: row.updated_date.toISOString(),
  }
}

/** In 256 colours; one that is heavy all the same is drawn smaller, and at a third cannot be too heavy. */
async function drawLogo(picture: Buffer): Promise<{ content: Buffer; width: number; height: number }> {
  for (const share of [1, 2 / 3, 1 / 3]) {
    const { data, info } = await sharp(picture, { failOn: 'error' })
      .resize({
        width: Math.round(limits.logoWidthPx * share),
        height: Math.round(limits.logoHeightPx * share),
        fit: 'inside',
        withoutEnlargement: true,
      })
      .png({ palette: true, compressionLevel: 9, effort: 7 })
      .toBuffer({ resolveWithObject: true })
    if (data.length <= limits.logoMaxBytes) return { content: data, width: info.width, height: info.height }
  }
  const limit = formatBytes(limits.logoMaxBytes)
  throw new Refusal(
    413,
    'IMAGE_TOO_LARGE',
    `This picture is too rich for a logo: drawn small, it has more than ${limit}. Use a simpler one.`,
  )
}
