import { AnyText, setting, Web } from './setting.ts'

/** The manufacturer, for footer, label and links. */
export const companySettings = {
  companyName: setting('DMP_COMPANY_NAME', 'Company name in footer and label (9.12)', AnyText, {
    fallback: 'DMP Imaging',
  }),
  companyAddress: setting('DMP_COMPANY_ADDRESS', 'Company address on the label', AnyText, {
    fallback: 'Example Street 1, 10115 Berlin, Germany',
  }),
  companyWebsite: setting('DMP_COMPANY_WEBSITE', 'Company website on the label', Web, {
    fallback: 'https://dmp.example',
  }),
  companyYear: setting('DMP_COMPANY_YEAR', 'Year of the copyright line', AnyText, {
    fallback: String(new Date().getFullYear()),
  }),
  ecRepAddress: setting('DMP_EC_REP_ADDRESS', 'Authorised representative in the EU', AnyText, {
    fallback: 'DMP Europe, Example Street 1, 10115 Berlin, Germany',
  }),
  manufactureDate: setting('DMP_MANUFACTURE_DATE', 'Manufacture date on the label', AnyText, {
    fallback: '2024-09-26',
  }),
  udiNumber: setting('DMP_UDI_NUMBER', 'Unique device identifier', AnyText, { fallback: '(01)00000000000000' }),
  udiManufactureDate: setting('DMP_UDI_MANUFACTURE_DATE', 'Manufacture date in the device identifier', AnyText, {
    fallback: '2024-09-26',
  }),
  udiVersion: setting('DMP_UDI_VERSION', 'Version in the device identifier', AnyText, { fallback: '1.1.0' }),
  labelDocumentNumber: setting('DMP_LABEL_DOCUMENT_NUMBER', 'Document number of the label', AnyText, {
    fallback: 'DLT-002 Rev:3',
  }),
  manualLink: setting('DMP_MANUAL_LINK', 'Where the product manuals are', Web, {
    fallback: 'https://dmp.example/manuals',
  }),
  ifuLink: setting('DMP_IFU_LINK', 'The electronic instructions for use', Web, {
    fallback: 'https://dmp.example/manuals/ifu.pdf',
  }),
  termsLink: setting('DMP_TERMS_LINK', 'Terms of Use; the only address that the terms mail may carry', Web, {
    fallback: 'https://dmp.example/terms',
  }),
} as const
