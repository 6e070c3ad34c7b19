import * as v from 'valibot'
import { exact } from '@dmp/contract'
import { Networks } from '@dmp/contract/apiToken'
import {
  DicomPartnerDraft,
  serviceNames,
  type DicomCaller,
  type DicomPartner,
  type ServiceName,
} from '@dmp/contract/dicomPartner'

/** What each service lets a partner do, in the words of the screen. */
export const serviceTexts: Readonly<Record<ServiceName, string>> = {
  Store: 'Send scans (C-STORE, storage commitment)',
  Query: 'Search (C-FIND)',
  Retrieve: 'Fetch scans (C-GET, C-MOVE)',
}

const { name, aeTitle, fingerprint, host, port, password } = DicomPartnerDraft.entries
const Service = v.boolean('Yes or no.')
const Typed = v.optional(v.pipe(v.string('Text.'), v.trim()), '')

/** An empty field is the same as none. */
const orNone = (schema: v.GenericSchema<string | null, string | null>) =>
  v.pipe(
    Typed,
    v.transform((text): string | null => (text === '' ? null : text)),
    schema,
  )

/** Networks are typed with commas, blanks or lines between them. */
const TypedNetworks = v.pipe(
  v.optional(v.string('The networks are text.'), ''),
  v.transform((text) => text.split(/[\s,;]+/).filter(Boolean)),
  Networks,
)

const [firstService, ...otherServices] = serviceNames
/** The form: one box for each service, and text where the call takes lists and numbers. */
export const DicomPartnerForm = v.pipe(
  exact({
    name,
    aeTitle,
    Store: Service,
    Query: Service,
    Retrieve: Service,
    addresses: TypedNetworks,
    fingerprint: orNone(fingerprint.wrapped),
    host: orNone(host.wrapped),
    port: v.pipe(
      Typed,
      v.transform((text): number | null => (text === '' ? null : Number(text))),
      port.wrapped,
    ),
    usesTls: Service,
    password,
  }),
  v.forward(
    v.partialCheck(
      [[firstService], ...otherServices.map((service) => [service] as const)],
      (form) => serviceNames.some((service) => form[service]),
      'Choose at least one service.',
    ),
    ['Store'],
  ),
)
export type DicomPartnerForm = v.InferOutput<typeof DicomPartnerForm>

/** What the calls take. */
export const toDraft = ({ Store, Query, Retrieve, ...rest }: DicomPartnerForm) => ({
  ...rest,
  services: serviceNames.filter((service) => ({ Store, Query, Retrieve })[service]),
})

const toBoxes = (services: readonly ServiceName[]) =>
  Object.fromEntries(serviceNames.map((service) => [service, services.includes(service)])) as Record<
    ServiceName,
    boolean
  >

/** A modality sends, and does nothing else. */
export const newDefaults = { ...toBoxes(['Store']), usesTls: false }

/** For somebody who called and was refused. */
export const toCallerDefaults = ({ aeTitle: title, address, fingerprint: shown }: DicomCaller) => ({
  ...newDefaults,
  aeTitle: title,
  addresses: address,
  fingerprint: shown ?? '',
})

export const toDefaults = (item: DicomPartner) => ({
  ...toBoxes(item.services),
  name: item.name,
  aeTitle: item.aeTitle,
  addresses: item.addresses.join('\n'),
  fingerprint: item.fingerprint ?? '',
  host: item.host ?? '',
  port: item.port === null || item.port === undefined ? '' : String(item.port),
  usesTls: item.usesTls,
})
