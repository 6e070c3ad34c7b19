import { NetworkList, optional, seconds, setting, Text, whole } from './setting.ts'

/** The DICOM node, for modalities that speak DICOM alone. */
export const dicomSettings = {
  dicomPort: optional(
    'DMP_DICOM_PORT',
    'Port on which the DICOM node answers without TLS; 0 picks a free one. Off where left out',
    whole(0, 65_535),
  ),
  dicomTlsPort: optional(
    'DMP_DICOM_TLS_PORT',
    'Port on which the DICOM node answers with TLS; 0 picks a free one. Off where left out',
    whole(0, 65_535),
  ),
  dicomHost: optional(
    'DMP_DICOM_HOST',
    'Address on which the DICOM node answers; that of DMP_HOST where left out',
    Text,
  ),
  dicomCertificateFile: optional(
    'DMP_DICOM_CERTIFICATE_FILE',
    'File with the certificate (PEM) by which partners know the DICOM node',
    Text,
  ),
  dicomKeyFile: optional('DMP_DICOM_KEY_FILE', 'File with the key (PEM, no passphrase) of that certificate', Text),
  dicomCaFile: optional(
    'DMP_DICOM_CA_FILE',
    'File with the certificates (PEM) of the authorities that vouch for partners; where left out, a partner comes by ' +
      'TLS only with the certificate that an administrator named by its fingerprint',
    Text,
  ),
  dicomNetworks: setting(
    'DMP_DICOM_NETWORKS',
    'Networks to which the DICOM node may send images and answers, such as 10.20.0.0/16; none where left out',
    NetworkList,
    { fallback: '' },
  ),
  dicomAssociations: setting(
    'DMP_DICOM_ASSOCIATIONS',
    'Associations that the DICOM node has open at the same time; a partner has a quarter of them at most, an ' +
      'organization no more than are left',
    whole(4, 10_000),
    { fallback: '64' },
  ),
  dicomIdleSeconds: seconds(
    'DMP_DICOM_IDLE_SECONDS',
    'Time without a sign of life after which the DICOM node gives an association up',
    '60',
  ),
} as const
