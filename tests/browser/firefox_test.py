#!/usr/bin/python3
"""The page in Firefox: what people do with it most, the same tests as in Chromium."""
import unittest

import frame_test
import keyboard_test
import plan_test
import use_test
import views_test
from firefox import Firefox

# By class: tests that ask nothing of the DevTools protocol.
CORE = {
    use_test.Use: ("test_the_filter_is_by_text_status_and_module", "test_the_filter_takes_several_states", "test_the_detail_shows_steps_and_the_log_in_its_colours",
                   "test_failures_of_one_cause_stand_together", "test_a_link_to_a_resource_opens_it_and_goes_back", "test_address_and_target_can_be_copied",
                   "test_keys_move_open_and_close", "test_a_run_that_goes_on_with_a_failure_is_failing", "test_one_of_several_runs_can_be_chosen"),
    frame_test.Frame: ("test_the_window_does_not_scroll_and_no_pane_has_a_box_that_scrolls_in_it", "test_a_failed_run_answers_six_questions_without_a_click",
                       "test_names_and_keys_are_whole_at_every_width_and_no_two_rows_look_alike", "test_nothing_is_wider_than_the_smallest_window",
                       "test_a_plan_is_no_apply_that_never_began", "test_rows_of_a_list_are_as_high_as_it_counts"),
    frame_test.AsItStood: ("test_every_view_is_shown_as_of_a_moment_and_as_of_now_again",),
    keyboard_test.Keyboard: ("test_from_failure_to_failure", "test_what_the_cursor_was_followed_to_is_gone_into_by_enter", "test_the_waterfall_and_back_from_its_detail", "test_a_script_of_keys_goes_through_a_failure_and_back"),
    plan_test.Plan: ("test_equal_changes_are_one_entry_that_opens_to_its_members", "test_each_replacement_names_what_forces_it_and_what_is_lost_stands_first"),
    views_test.Moments: ("test_an_address_leads_to_it",),
    views_test.Outputs: ("test_a_long_one_folds",),
    views_test.Tests: ("test_they_are_a_tree_and_what_failed_is_open",),
}


def load_tests(loader, tests, pattern):
    suite = unittest.TestSuite()
    for of, names in CORE.items():
        in_firefox = type(of.__name__ + "InFirefox", (of,), {"engine": Firefox, "is_in_order": lambda self, page, cut_off=False: self.assertEqual(page.value("typeof window.pwned"), "undefined")})
        suite.addTests(in_firefox(name) for name in names)
    return suite


if __name__ == "__main__":
    unittest.main(verbosity=2)
