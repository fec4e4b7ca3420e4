import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { answer, api, failureOf } from '../api.js';
import { LongField } from '../parts/form.js';
import { Badge } from '../parts/states.js';

const verified = async (certificate: string, id: string) =>
  (await import('../proofs/certificate.js')).verifyCertificate(certificate, id);

/** A certificate of its erasure, if there was one; any other may be pasted over it. */
export const Certificate = ({ id }: { readonly id: string }) => {
  const [text, setText] = useState('');
  const loaded = useQuery({
    queryKey: ['certificate', id],
    queryFn: () => answer(api.GET('/api/v1/identity/{id}/erasure-certificate', { params: { path: { id } } })),
    retry: false,
  });
  const verifying = useMutation({ mutationFn: (certified: string) => verified(certified, id) });
  const change = (next: string): void => {
    setText(next);
    verifying.reset();
  };
  const certificate = loaded.data?.certificate;
  useEffect(() => {
    if (certificate !== undefined) setText(certificate);
  }, [certificate]);
  return (
    <section className="card">
      <h2>Certificate of erasure</h2>
      {failureOf(loaded.error)?.code === 'NOT_FOUND' && (
        <p className="quiet">It was never erased for good. Paste a certificate to verify it.</p>
      )}
      <LongField label="Certificate" value={text} onChange={change} />
      <p className="actions">
        <button type="button" disabled={text === '' || verifying.isPending} onClick={() => verifying.mutate(text)}>
          Verify in this browser
        </button>
        {verifying.error !== null && (
          <span role="alert">
            <Badge of="invalid" text="not valid" /> {verifying.error.message}
          </span>
        )}
        {verifying.data !== undefined && (
          <span role="status">
            <Badge of="valid" /> Signed by this network.
          </span>
        )}
      </p>
      {verifying.data !== undefined && (
        <pre tabIndex={0}>
          <code>{JSON.stringify(verifying.data, null, 2)}</code>
        </pre>
      )}
    </section>
  );
};
