import * as v from 'valibot'
import { endpoint, may } from '../endpoint.ts'
import { ofOrganization } from './params.ts'

const Text = v.string('Text.')

/** Where the sample lies. */
export const Sample = v.object({ studyUID: Text, seriesUID: Text })
export type Sample = v.InferOutput<typeof Sample>

/** Source of the sample's row in lists. */
export const sampleSource = 'Sample'

/** A drawn phantom, nobody's picture, to try everything on before the first real study is there. */
export const addSample = endpoint({
  method: 'POST',
  path: '/Scan/addSample/:organizationId',
  summary: 'Add the sample study to an organization, or tell where it lies already.',
  needs: may('Scan', 'AddSample'),
  params: ofOrganization,
  answer: Sample,
})
/** Removing it twice is no error. */
export const removeSample = endpoint({
  method: 'DELETE',
  path: '/Scan/removeSample/:organizationId',
  summary: 'Remove the sample study of an organization.',
  needs: may('Scan', 'AddSample'),
  params: ofOrganization,
})
