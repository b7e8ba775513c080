// Why something is planned: OpenTofu's words as a sentence.

// In the stream and in plans (protocol/diff): they have two words for some.
const sentences: { [reason: string]: string } = {
  tainted: 'it is tainted',
  replace_because_tainted: 'it is tainted',
  requested: 'somebody asked for it (-replace)',
  replace_by_request: 'somebody asked for it (-replace)',
  replace_triggered_by: 'what its replace_triggered_by names changes',
  replace_by_triggers: 'what its replace_triggered_by names changes',
  cannot_update: 'it can\'t be updated in place',
  replace_because_cannot_update: 'it can\'t be updated in place',
  delete_because_no_resource_config: 'its block is gone',
  delete_because_no_module: 'its module is gone',
  delete_because_no_move_target: 'the block that it was moved to is gone',
  delete_because_wrong_repetition: 'its block has another kind of repetition now',
  delete_because_count_index: 'its index is beyond count',
  delete_because_each_key: 'its key is not in for_each',
  delete_because_enabled_false: 'enabled is false',
  read_because_config_unknown: 'its configuration is not known before the apply',
  read_because_dependency_pending: 'something that it depends on changes',
  read_because_check_nested: 'a check block needs it',
  forgot_because_lifecycle_destroy_in_config: 'its lifecycle says destroy = false',
  forgot_because_lifecycle_destroy_in_state: 'its lifecycle said destroy = false',
};

/** "its index is beyond count"; a reason of a newer OpenTofu as it is. */
export const reason_words = (reason: string): string =>
  Object.hasOwn(sentences, reason) ? sentences[reason]! : reason.replace(/_/g, ' ');
