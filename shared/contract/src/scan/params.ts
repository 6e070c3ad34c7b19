import * as v from 'valibot'
import { Uid, Uuid, exact } from '../fields.ts'

const Text = v.string('Text.')

export const ofOrganization = exact({ organizationId: Uuid })

export const ofSeries = exact({ organizationId: Uuid, seriesUID: Uid })

export const byId = exact({ id: Uuid })

export const downloadUrl = v.object({ downloadUrl: Text })
